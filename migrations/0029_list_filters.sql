ALTER TABLE `posts` ADD `has_pending` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_updated` ON `posts` (`account_id`,`updated_at`);--> statement-breakpoint
CREATE INDEX `posts_source` ON `posts` (`account_id`,`source`,`id`) WHERE "posts"."source" is not null;--> statement-breakpoint
CREATE INDEX `posts_drafts` ON `posts` (`account_id`,`id`) WHERE "posts"."status" = 'DF';--> statement-breakpoint
CREATE INDEX `posts_pending` ON `posts` (`account_id`,`id`) WHERE "posts"."has_pending" = 1;--> statement-breakpoint
-- The posts of before with a translation that waits.
UPDATE `posts` SET `has_pending` = 1 WHERE `id` IN (SELECT `post_id` FROM `texts` WHERE `pending_versions` <> '{}');
