CREATE TABLE `__new_texts` (
	`post_id` text NOT NULL,
	`lang_code` text NOT NULL,
	`title` text,
	`meta_description` text,
	`image_ids` text NOT NULL,
	`versions` text NOT NULL,
	`edited` text NOT NULL,
	`status` text NOT NULL,
	`claim` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`postponed` integer DEFAULT 0 NOT NULL,
	`retranslate_after` integer,
	`due_at` integer,
	`error` text,
	`warnings` text NOT NULL,
	`segments_done` integer DEFAULT 0 NOT NULL,
	`segments_total` integer DEFAULT 0 NOT NULL,
	`engine` text,
	`updated_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`body_sha256` text,
	`body` text,
	`html` text,
	PRIMARY KEY(`post_id`, `lang_code`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_texts` (`post_id`, `lang_code`, `title`, `meta_description`, `image_ids`, `versions`, `edited`, `status`, `claim`, `attempts`, `postponed`, `retranslate_after`, `due_at`, `error`, `warnings`, `segments_done`, `segments_total`, `engine`, `updated_at`, `changed_at`, `body_sha256`, `body`, `html`)
SELECT `post_id`, `lang_code`, `title`, `meta_description`, `image_ids`, `versions`, `edited`, `status`, `claim`, `attempts`, `postponed`, `retranslate_after`, `due_at`, `error`, `warnings`, `segments_done`, `segments_total`, `engine`, `updated_at`, `updated_at`, `body_sha256`, `body`, `html` FROM `texts`;--> statement-breakpoint
DROP TABLE `texts`;--> statement-breakpoint
ALTER TABLE `__new_texts` RENAME TO `texts`;--> statement-breakpoint
CREATE INDEX `texts_waiting` ON `texts` (`due_at`) WHERE "texts"."status" in ('queued', 'running');
