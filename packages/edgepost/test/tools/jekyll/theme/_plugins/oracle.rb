require "json"

Jekyll::Hooks.register [:pages, :documents], :post_render do |item|
  page = {
    file: item.relative_path,
    address: (item.site.config["url"] || "http://blog.example") + (item.site.baseurl || "") + item.url,
    title: item.data["title"],
    date: item.data["date"]&.to_time&.utc&.strftime("%Y-%m-%dT%H:%M:%SZ"),
    language: item.data["lang"],
  }
  item.output = %(<script type="application/json">#{JSON.generate(page).gsub("<", "\\u003c")}</script>\n#{item.content})
end
