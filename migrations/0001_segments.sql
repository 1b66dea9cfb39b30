CREATE TABLE `remembered_segments` (
	`account_id` text NOT NULL,
	`engine` text NOT NULL,
	`from_code` text NOT NULL,
	`to_code` text NOT NULL,
	`hash` text NOT NULL,
	`translation` text,
	`made_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `engine`, `from_code`, `to_code`, `hash`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `remembered_segments_used` ON `remembered_segments` (`used_at`);--> statement-breakpoint
CREATE TABLE `translated_characters` (
	`account_id` text NOT NULL,
	`day` text NOT NULL,
	`characters` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `translated_characters_day` ON `translated_characters` (`day`);--> statement-breakpoint
ALTER TABLE `texts` ADD `postponed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `texts` ADD `anew_since` integer;