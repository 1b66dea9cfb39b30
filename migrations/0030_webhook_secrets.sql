ALTER TABLE `webhook_endpoints` ADD `disabled_reason` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `secret` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `old_secret` text;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `rotated_at` integer;--> statement-breakpoint
-- By hand: endpoints that were switched off before there was a reason.
UPDATE `webhook_endpoints` SET `disabled_reason` = CASE WHEN `failing_since` IS NULL THEN 'flooded' ELSE 'failing' END WHERE `disabled_at` IS NOT NULL;
