CREATE TABLE `paused_posts` (
	`post_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `paused_posts_account` ON `paused_posts` (`account_id`,`post_id`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `resumes_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_resuming` ON `accounts` (`resumes_at`) WHERE "accounts"."resumes_at" is not null;