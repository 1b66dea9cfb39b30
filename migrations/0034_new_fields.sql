ALTER TABLE `posts` ADD `cover_alt` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `cover_caption` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `listed` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_listed` ON `posts` (`account_id`,`published_at`,`id`) WHERE "posts"."status" = 'PB' and "posts"."listed" = 1;--> statement-breakpoint
-- Texts of before that have not changed since their post was made, of posts with an earlier date: that day.
UPDATE `texts` SET `changed_at` = (SELECT `published_at` FROM `posts` WHERE `posts`.`id` = `texts`.`post_id`)
  WHERE EXISTS (SELECT 1 FROM `posts` WHERE `posts`.`id` = `texts`.`post_id`
    AND `posts`.`created_at` = `texts`.`changed_at` AND `posts`.`published_at` < `posts`.`created_at`);
