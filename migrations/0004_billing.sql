CREATE TABLE `stripe_events` (
	`id` text PRIMARY KEY NOT NULL,
	`handled_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stripe_events_handled` ON `stripe_events` (`handled_at`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`customer_id` text,
	`account_id` text,
	`status` text,
	`status_at` integer,
	`period_end` integer,
	`period_at` integer,
	`invoiced_until` integer,
	`invoiced_at` integer,
	`paid_until` integer,
	`revision` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `subscriptions_account` ON `subscriptions` (`account_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_unbound` ON `subscriptions` (`updated_at`) WHERE "subscriptions"."account_id" is null;--> statement-breakpoint
ALTER TABLE `accounts` ADD `paid_source` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `operator_paid_until` integer;--> statement-breakpoint
-- Until now only operators gave paid time.
UPDATE `accounts` SET `paid_source` = 'operator', `operator_paid_until` = `paid_until` WHERE `paid_until` IS NOT NULL;
