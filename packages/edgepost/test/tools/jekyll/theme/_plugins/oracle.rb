require "json"

Jekyll::Hooks.register [:pages, :documents], :post_render do |item|
  origin = (item.site.config["url"] || "http://blog.example") + (item.site.baseurl || "")
  newer = item.respond_to?(:next_doc) ? item.next_doc : nil
  page = {
    file: File.expand_path(item.path, item.site.source).delete_prefix("#{Dir.pwd}/"),
    address: origin + item.url,
    title: item.data["title"],
    date: item.data["date"]&.to_time&.getutc&.strftime("%Y-%m-%dT%H:%M:%SZ"),
    language: item.data["lang"],
    categories: item.data["categories"],
    tags: item.data["tags"],
    newer: newer && origin + newer.url,
  }
  item.output = %(<script type="application/json">#{JSON.generate(page).gsub("<", "\\u003c")}</script>\n#{item.content})
end
