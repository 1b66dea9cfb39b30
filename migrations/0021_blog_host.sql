ALTER TABLE `accounts` ADD `blog_host` text;--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_blog_host_unique` ON `accounts` (`blog_host`);