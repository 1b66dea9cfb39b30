CREATE TABLE `abuse_counts` (
	`account_id` text NOT NULL,
	`day` text NOT NULL,
	`kind` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `kind`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `abuse_counts_day` ON `abuse_counts` (`day`);--> statement-breakpoint
CREATE TABLE `operator_actions` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`action` text NOT NULL,
	`username` text,
	`detail` text NOT NULL,
	`via` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `operator_actions_username` ON `operator_actions` (`username`,`id`);