ALTER TABLE `images` RENAME COLUMN "sweep_at" TO "cleanup_at";--> statement-breakpoint
ALTER TABLE `texts` RENAME COLUMN "pictures" TO "image_ids";--> statement-breakpoint
ALTER TABLE `texts` RENAME COLUMN "anew_since" TO "retranslate_after";--> statement-breakpoint
DROP INDEX `images_sweep`;--> statement-breakpoint
CREATE INDEX `images_cleanup` ON `images` (`cleanup_at`) WHERE "images"."cleanup_at" is not null;