CREATE TABLE `post_labels` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`post_id` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer,
	PRIMARY KEY(`account_id`, `kind`, `label`, `post_id`),
	FOREIGN KEY (`post_id`) REFERENCES `posts`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
INSERT OR IGNORE INTO `post_labels` (`account_id`, `kind`, `label`, `post_id`, `status`, `published_at`)
  SELECT `account_id`, 'category', `value`, `posts`.`id`, `status`, `published_at` FROM `posts`, json_each(`categories`)
  UNION ALL
  SELECT `account_id`, 'tag', `value`, `posts`.`id`, `status`, `published_at` FROM `posts`, json_each(`tags`);
--> statement-breakpoint
CREATE INDEX `post_labels_published` ON `post_labels` (`account_id`,`kind`,`label`,`published_at`,`post_id`) WHERE "post_labels"."status" = 'PB';--> statement-breakpoint
CREATE INDEX `post_labels_post` ON `post_labels` (`post_id`);--> statement-breakpoint
ALTER TABLE `posts` ADD `text_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `posts` SET `text_bytes` = 1024
  + coalesce(octet_length(`posts`.`slug`), 0) + coalesce(octet_length(`posts`.`categories`), 0) + coalesce(octet_length(`posts`.`tags`), 0)
  + coalesce(octet_length(`posts`.`primary_language`), 0) + coalesce(octet_length(`posts`.`translation_languages`), 0) + coalesce(octet_length(`posts`.`canonical_url`), 0)
  + coalesce(octet_length(`posts`.`author_name`), 0) + coalesce(octet_length(`posts`.`source`), 0)
  + (SELECT coalesce(sum(256
      + coalesce(octet_length(`texts`.`lang_code`), 0) + coalesce(octet_length(`texts`.`title`), 0) + coalesce(octet_length(`texts`.`meta_description`), 0)
      + coalesce(octet_length(`texts`.`image_ids`), 0) + coalesce(octet_length(`texts`.`versions`), 0) + coalesce(octet_length(`texts`.`edited`), 0)
      + coalesce(octet_length(`texts`.`warnings`), 0) + coalesce(octet_length(`texts`.`engine`), 0)
      + coalesce(octet_length(`texts`.`body`), 0) + coalesce(octet_length(`texts`.`html`), 0)), 0)
    FROM `texts` WHERE `texts`.`post_id` = `posts`.`id`)
  + (SELECT coalesce(sum(150 + 2 * octet_length(`label`)), 0) FROM `post_labels` WHERE `post_id` = `posts`.`id`);
--> statement-breakpoint
UPDATE `accounts` SET `text_bytes` = (
  SELECT coalesce(sum(`posts`.`text_bytes`), 0) FROM `posts` WHERE `posts`.`account_id` = `accounts`.`id`
);
--> statement-breakpoint
CREATE INDEX `remembered_segments_account` ON `remembered_segments` (`account_id`,`used_at`);