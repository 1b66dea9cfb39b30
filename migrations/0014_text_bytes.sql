ALTER TABLE `accounts` ADD `text_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `accounts` SET `text_bytes` = (
  SELECT coalesce(sum(coalesce(octet_length(`body`), 0) + coalesce(octet_length(`html`), 0)), 0)
  FROM `texts` JOIN `posts` ON `posts`.`id` = `texts`.`post_id` WHERE `posts`.`account_id` = `accounts`.`id`
);
