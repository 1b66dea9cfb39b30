CREATE TABLE `redirects` (
	`account_id` text NOT NULL,
	`path` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	PRIMARY KEY(`account_id`, `path`, `source`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
