# Net::HTTP repeats only GET, HEAD, PUT, DELETE, OPTIONS and TRACE after a lost answer, and nothing after 429 and 503.
require "json"
require "net/http"

API = URI("#{ENV.fetch("BASE")}/api/blogcontroller/")
SLUG = ENV.fetch("SLUG")
LOST = [EOFError, Errno::ECONNRESET, Errno::EPIPE, Net::ReadTimeout].freeze

def call(name, method, path, good, json: nil, file: nil)
  answer = nil
  8.times do
    request = Net::HTTP.const_get(method.capitalize).new(API + path)
    request["X-API-KEY"] = ENV.fetch("KEY")
    request["Idempotency-Key"] = name unless method == "GET"
    request.set_form([["file", File.open(file), { filename: "ä.png" }]], "multipart/form-data") if file
    request.content_type, request.body = "application/json", json.to_json if json
    begin
      answer = Net::HTTP.start(API.host, API.port) { |http| http.request(request) }
    rescue *LOST
      next sleep 0.2
    end
    break unless %w[429 503].include?(answer.code)
    sleep Float(answer["Retry-After"] || 1)
  end
  puts "FAILED #{name}: #{answer&.code} #{answer&.body}" unless good.include?(answer&.code)
  answer&.body.to_s.empty? ? {} : JSON.parse(answer.body)
end

id = call("upload", "POST", "image-upload/", %w[201], file: ENV.fetch("IMAGE"))["image_id"]
draft = { slug: SLUG, title: "A post", status: "DF", categories: ["News"], meta_description: "About it." }
call("create", "POST", "posts/", %w[201], json: { **draft, body: "Some words.", image_ids: [id] })
change = { lang_code: "en", primary_language: "en", translation_languages: %w[fr es], status: "PB" }
call("patch", "PATCH", "posts/#{SLUG}/", %w[200 202], json: change)
loop do
  states = call("translations", "GET", "posts/#{SLUG}/translations/", %w[200])["translations"]
  break if states.map { |state| state["status"] } == %w[ready ready]
  sleep 0.2
end
puts "FAILED list: not one post" unless call("list", "GET", "posts/?limit=5", %w[200])["posts"].size == 1
# Repeated after a lost answer, the post is gone.
call("delete", "DELETE", "posts/#{SLUG}/", %w[204 404])
