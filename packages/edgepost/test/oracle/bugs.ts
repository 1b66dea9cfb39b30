/** Differences that are bugs, by how their line begins, and what is wrong. Remove a row with its bug: the aim is none. */
export const BUGS: Record<string, string> = {
  "sample-jekyll: _posts/2024-02-05-no-title-here.md: title": "A title from a file name has capitals in Jekyll.",
  "eleventy-unrendered: content/drafts/eleventy-drafts-own.md: only the tool":
    "A post's own `draft: false` wins over directory data.",
  "eleventy-unrendered: content/from-eleventyignore/": "`.eleventyignore` leaves files out.",
  "eleventy-unrendered: content/posts/eleventy-file-data.md": "A data file of one post, `post.json`, counts.",
  "hexo-unrendered: scaffolds/": "Only files below `source/` are posts.",
  "hexo-unrendered: source/_posts/raw/": "`skip_render` of the configuration leaves files out.",
  "hugo-fm: content/posts/hugo-blank-first.md": "A blank line before the front matter is allowed.",
  "hugo-fm: content/posts/hugo-unix-date.md": "A date in seconds since 1970 is a date.",
  "hugo-unrendered: content/posts/hugo-page.html": "`.html` posts are read.",
  "hugo-unrendered: content/targets/": "A cascade of a section has targets.",
  "hugo: content/posts/mending-nets/index.md (en): code": "`{{</* a */>}}` in code of `highlight` is `{{< a >}}`.",
  "hugo: content/posts/mending-nets/index.md (en): words": "`{{</* a */>}}` in code of `highlight` is `{{< a >}}`.",
  "jekyll-unrendered: _posts/2024-05-08-jekyll-scratch.md": "A pattern of `exclude` counts at any depth.",
  "jekyll-unrendered: _posts/jekyll-no-date.md": "A post of Jekyll has a date in its name.",
  "jekyll-unrendered: _underscore/": "Jekyll reads no other folder that begins with `_`.",
  "sample-hexo-link: source/_posts/hl-link.md":
    "In Hexo `{% link a/b %}` is no page of dev.to, and `post_path` shows the address.",
}
