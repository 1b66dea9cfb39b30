CREATE TABLE `list_purges` (
	`username` text PRIMARY KEY NOT NULL,
	`noted_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `images_account`;--> statement-breakpoint
CREATE INDEX `images_account` ON `images` (`account_id`,`deleting_at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `erasing_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_erasing` ON `accounts` (`id`) WHERE "accounts"."erasing_at" is not null;