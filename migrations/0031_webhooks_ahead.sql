DROP INDEX `webhook_deliveries_post`;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_order` ON `webhook_deliveries` (`endpoint_id`,`post_id`) WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `wake_at` integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `next_at` integer;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `next_post` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `queued` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_endpoints_wake` ON `webhook_endpoints` (`wake_at`);--> statement-breakpoint
-- By hand: the first publication ahead. What else waits is looked at ten minutes later, when the version of before has ended.
UPDATE `webhook_endpoints` SET (`wake_at`, `next_at`, `next_post`) = (
  SELECT min(coalesce(`published_at`, `time` + 600000), `time` + 600000), `published_at`, `ahead`.`id`
  FROM (SELECT CAST((julianday('now') - 2440587.5) * 86400000 AS integer) AS `time`)
  LEFT JOIN (SELECT `id`, `published_at` FROM `posts` WHERE `account_id` = `webhook_endpoints`.`account_id` AND `status` = 'PB'
    AND `published_at` > (julianday('now') - 2440587.5) * 86400000 ORDER BY `published_at`, `id` LIMIT 1) AS `ahead`);--> statement-breakpoint
-- By hand: a publication ahead is queued when its time comes.
DELETE FROM `webhook_deliveries` WHERE `due_at` IS NOT NULL AND `type` = 'post.published'
  AND `starts_at` >= (SELECT `next_at` FROM `webhook_endpoints` WHERE `id` = `endpoint_id`);
