ALTER TABLE `accounts` ADD `translation_review` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `translation_review` text;--> statement-breakpoint
ALTER TABLE `texts` ADD `pending_versions` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `texts` ADD `pending_image_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `texts` ADD `pending_fields` text;--> statement-breakpoint
CREATE INDEX `texts_pending` ON `texts` (`post_id`,`lang_code`) WHERE "texts"."pending_versions" <> '{}';