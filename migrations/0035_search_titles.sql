ALTER TABLE `posts` ADD `folded_titles` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `has_unfolded` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX `posts_unfolded` ON `posts` (`id`) WHERE "posts"."has_unfolded" = 1;