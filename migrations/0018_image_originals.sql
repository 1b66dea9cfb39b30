DROP INDEX `images_source`;--> statement-breakpoint
ALTER TABLE `images` ADD `original_sha256` text;--> statement-breakpoint
CREATE UNIQUE INDEX `images_original` ON `images` (`account_id`,case when "original_sha256" is null then "source_sha256" else "original_sha256" end,`source_sha256`) WHERE "images"."deleting_at" is null and "images"."source_sha256" is not null;--> statement-breakpoint
CREATE INDEX `images_source` ON `images` (`account_id`,`source_sha256`) WHERE "images"."deleting_at" is null and "images"."source_sha256" is not null;