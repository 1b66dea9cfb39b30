CREATE TABLE `glossary_terms` (
	`account_id` text NOT NULL,
	`term` text NOT NULL,
	`keep` integer NOT NULL,
	`translations` text NOT NULL,
	`note` text,
	PRIMARY KEY(`account_id`, `term`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
