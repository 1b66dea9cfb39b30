DROP INDEX `api_keys_live`;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `name` text DEFAULT 'default' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `scope` text DEFAULT 'publish' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_live` ON `api_keys` (`account_id`,`name`) WHERE "api_keys"."revoked_at" is null;