CREATE TABLE `list_purges` (
	`username` text PRIMARY KEY NOT NULL,
	`noted_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `erasing_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_erasing` ON `accounts` (`erasing_at`) WHERE "accounts"."erasing_at" is not null;--> statement-breakpoint
CREATE INDEX `images_kept` ON `images` (`account_id`) WHERE "images"."deleting_at" is null;