CREATE TABLE `__new_texts` (
	`post_id` text NOT NULL,
	`lang_code` text NOT NULL,
	`title` text,
	`meta_description` text,
	`pictures` text NOT NULL,
	`versions` text NOT NULL,
	`edited` text NOT NULL,
	`status` text NOT NULL,
	`claim` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`postponed` integer DEFAULT 0 NOT NULL,
	`anew_since` integer,
	`due_at` integer,
	`error` text,
	`warnings` text NOT NULL,
	`segments_done` integer DEFAULT 0 NOT NULL,
	`segments_total` integer DEFAULT 0 NOT NULL,
	`engine` text,
	`updated_at` integer NOT NULL,
	`body` text,
	`html` text,
	PRIMARY KEY(`post_id`, `lang_code`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_texts` (`post_id`, `lang_code`, `title`, `meta_description`, `pictures`, `versions`, `edited`, `status`, `claim`, `attempts`, `postponed`, `anew_since`, `due_at`, `error`, `warnings`, `segments_done`, `segments_total`, `engine`, `updated_at`, `body`, `html`)
SELECT `post_id`, `lang_code`, `title`, `meta_description`, `pictures`, `versions`, `edited`, `status`, `claim`, `attempts`, `postponed`, `anew_since`, `due_at`, `error`, `warnings`, `segments_done`, `segments_total`, `engine`, `updated_at`, `body`, `html` FROM `texts`;--> statement-breakpoint
DROP TABLE `texts`;--> statement-breakpoint
ALTER TABLE `__new_texts` RENAME TO `texts`;--> statement-breakpoint
CREATE INDEX `texts_waiting` ON `texts` (`due_at`) WHERE "texts"."status" in ('queued', 'running');