DROP INDEX `remembered_failures`;--> statement-breakpoint
ALTER TABLE `remembered_segments` ADD `failures` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `remembered_segments` SET `failures` = 2 WHERE `translation` IS NULL;--> statement-breakpoint
UPDATE `remembered_segments` SET `failures` = 2, `translation` = substr(`translation`, 2) WHERE substr(`translation`, 1, 1) = char(10);--> statement-breakpoint
CREATE INDEX `remembered_failures` ON `remembered_segments` (`account_id`,`to_code`) WHERE "remembered_segments"."failures" > 0;