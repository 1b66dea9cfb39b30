CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`paid_until` integer,
	`restricted` integer DEFAULT false NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	`primary_language` text NOT NULL,
	`translation_languages` text NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_username_unique` ON `accounts` (`username`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`last_four` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_live` ON `api_keys` (`account_id`) WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE TABLE `images` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`bytes` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`sweep_at` integer,
	`deleting_at` integer
);
--> statement-breakpoint
CREATE INDEX `images_sweep` ON `images` (`sweep_at`) WHERE "images"."sweep_at" is not null;--> statement-breakpoint
CREATE INDEX `images_account` ON `images` (`account_id`);--> statement-breakpoint
CREATE TABLE `leases` (
	`post_id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `post_images` (
	`post_id` text NOT NULL,
	`image_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`post_id`, `image_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`image_id`) REFERENCES `images`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `post_images_image` ON `post_images` (`image_id`);--> statement-breakpoint
CREATE TABLE `posts` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`slug` text NOT NULL,
	`status` text NOT NULL,
	`categories` text NOT NULL,
	`tags` text NOT NULL,
	`primary_language` text NOT NULL,
	`translation_languages` text NOT NULL,
	`version` integer NOT NULL,
	`revision` integer NOT NULL,
	`text_version` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`published_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `posts_slug_unique` ON `posts` (`slug`);--> statement-breakpoint
CREATE INDEX `posts_account` ON `posts` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `texts` (
	`post_id` text NOT NULL,
	`lang_code` text NOT NULL,
	`title` text,
	`meta_description` text,
	`body` text,
	`html` text,
	`pictures` text NOT NULL,
	`versions` text NOT NULL,
	`edited` text NOT NULL,
	`status` text NOT NULL,
	`claim` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`error` text,
	`warnings` text NOT NULL,
	`segments_done` integer DEFAULT 0 NOT NULL,
	`segments_total` integer DEFAULT 0 NOT NULL,
	`engine` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `lang_code`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `texts_waiting` ON `texts` (`due_at`) WHERE "texts"."status" in ('queued', 'running');