ALTER TABLE `accounts` ADD `translation_tones` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `shows_translation_note` integer DEFAULT true NOT NULL;