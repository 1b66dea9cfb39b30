require 'json'

include Nanoc::Helpers::Blogging

# Prints the data of a page.
def data_of(item, config)
  articles = sorted_articles
  at = articles.index { |one| one.identifier == item.identifier }
  newer = at && at > 0 ? articles[at - 1] : nil
  date = item[:created_at] && attribute_to_time(item[:created_at])
  JSON.generate({
    file: (config[:data_sources].first[:content_dir] || 'content') + item.identifier.to_s,
    address: config[:base_url] + item.path,
    title: item[:title],
    date: date&.getutc&.strftime('%Y-%m-%dT%H:%M:%SZ'),
    language: item[:lang],
    categories: item[:categories],
    tags: item[:tags],
    newer: newer && config[:base_url] + newer.path,
  }).gsub('<', '\u003c')
end
