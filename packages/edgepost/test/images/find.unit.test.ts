import { expect, test } from "vitest"

import type { Folder } from "../../src/folder/files.ts"
import { findImageFile } from "../../src/images/find.ts"

const folderOf = (files: string[]): Folder => ({
  root: "/blog",
  blog: "",
  unseen: null,
  files: files.toSorted(),
  signs: [],
  leftOut: [],
  read: () => Promise.reject(new Error("Finding reads no file.")),
})

const NFC = "caf\u00e9.png"
const NFD = "cafe\u0301.png"
const OLD = "https://old.example/"

test.each<[layout: string, file: string, reference: string, found: string, others?: string[], siteUrl?: string]>([
  ["a file beside the post", "posts/x.md", "a.png", "posts/a.png", ["a.png"]],
  ["a file beside the post, with ./", "posts/x.md", "./img/a.png", "posts/img/a.png"],
  ["a folder above", "posts/x.md", "../images/a.png", "images/a.png"],
  ["a bundle of Hugo", "content/x/index.fr.md", "a.png", "content/x/a.png", ["content/y/a.png", "static/a.png"]],
  ["the address of a bundle of Hugo", "content/posts/y/index.md", "/posts/x/a.png", "content/posts/x/a.png"],
  ["static of Hugo", "content/posts/x.md", "/img/a.png", "static/img/a.png"],
  ["static of Hugo, without the slash", "content/posts/x.md", "img/a.png", "static/img/a.png"],
  ["static of Hugo, relative to the page's address", "content/posts/x.md", "../../img/a.png", "static/img/a.png"],
  ["assets of Hugo", "content/posts/x.md", "img/a.png", "assets/img/a.png"],
  ["assets of Jekyll", "_posts/2020-01-02-x.md", "/assets/img/a.png", "assets/img/a.png"],
  ["assets of Jekyll, without the slash", "_posts/2020-01-02-x.md", "assets/img/a.png", "assets/img/a.png"],
  ["_assets of Jekyll", "_posts/2020-01-02-x.md", "/img/a.png", "_assets/img/a.png"],
  ["source of Hexo", "source/_posts/x.md", "/images/a.png", "source/images/a.png"],
  ["assets of Hexo", "source/_posts/x.md", "a.png", "source/_posts/x/a.png", ["source/_posts/y/a.png"]],
  ["assets of a translation", "source/_posts/x.fr.md", "a.png", "source/_posts/x/a.png", ["source/_posts/y/a.png"]],
  ["assets of a name with a dot", "_posts/v1.2.md", "a.png", "_posts/v1.2/a.png", ["_posts/v1.3/a.png"]],
  ["the page's address as a folder", "posts/x.md", "../images/a.png", "posts/images/a.png", ["x/images/a.png"]],
  ["src of Eleventy", "src/posts/x.md", "/img/a.png", "src/img/a.png"],
  ["public of Eleventy", "content/blog/x.md", "/img/a.png", "public/img/a.png"],
  ["public of Astro", "src/content/blog/x.md", "/a.png", "public/a.png"],
  ["~ of Astro", "src/content/blog/x.md", "~/assets/a.png", "src/assets/a.png"],
  ["@ of Astro", "src/content/blog/x.md", "@/assets/a.png", "src/assets/a.png"],
  ["@assets of Astro", "src/content/blog/x.md", "@assets/a.png", "src/assets/a.png"],
  ["/src of Astro", "src/content/blog/x.md", "/src/assets/a.png", "src/assets/a.png"],
  ["@site of Docusaurus", "blog/x.md", "@site/static/img/a.png", "static/img/a.png"],
  ["static of Docusaurus in website/", "website/blog/x/index.md", "/img/a.png", "website/static/img/a.png"],
  ["@site of Docusaurus in website/", "website/blog/x.md", "@site/static/img/a.png", "website/static/img/a.png"],
  ["the outer site before one within it", "docs/x.md", "/a.png", "static/a.png", ["docs/static/a.png"]],
  ["an Obsidian name anywhere", "Notes/x.md", "a%20b.png", "Files/2024/a b.png"],
  ["the shortest path of an Obsidian name", "x/x.md", "a.png", "b/a.png", ["a/2024/a.png", "b/b/a.png"]],
  ["an Obsidian path from the root", "x/x.md", "Files/a.png", "Files/a.png", ["x/a.png"]],
  ["percent codes", "x.md", "%C3%A4%20(1).png", "ä (1).png"],
  ["a name with a percent code", "x.md", "a%20b.png", "a%20b.png"],
  ["a percent sign alone", "x.md", "100%.png", "100%.png"],
  ["NFC for a file in NFD", "x.md", NFC, NFD],
  ["NFD for a file in NFC", "x.md", encodeURI(NFD), NFC],
  ["NFC for a file in NFD beside one in other case", "x.md", NFC, NFD, [NFC.toUpperCase()]],
  ["an alias, for posts outside of src", "posts/x.md", "@/images/a.png", "src/images/a.png"],
  ["src/assets", "posts/x.md", "/img/a.png", "src/assets/img/a.png"],
  ["a query", "x.md", "a.png?v=2", "a.png"],
  ["a fragment", "x.md", "a.png#right", "a.png"],
  ["a name with #", "x.md", "C#.png", "C#.png"],
  ["a backslash of Windows", "x.md", "img\\a.png", "img/a.png"],
  ["other case", "x.md", "Img/a.png", "img/A.PNG"],
  ["the same case before other case", "posts/x.md", "a.png", "static/a.png", ["posts/A.png"]],
  ["the old site's address", "content/x.md", "http://www.old.example/img/a%20b.png?w=3", "static/img/a b.png", [], OLD],
  ["its address without a scheme", "content/x.md", "//old.example/a.png", "static/a.png", [], "https://old.example"],
  ["its address below a path", "_posts/x.md", `${OLD}blog/assets/a.png`, "assets/a.png", [], `${OLD}blog`],
  ["the old site's path", "_posts/x.md", "/blog/assets/a.png", "assets/a.png", [], `${OLD}blog/`],
])("%s: in %s, the reference %j means %s, and none of %j", (_, file, reference, found, others = [], site) => {
  expect(findImageFile(folderOf([found, ...others]), reference, file, site)).toBe(found)
})

test.each<[what: string, files: string[], file: string, reference: string, siteUrl?: string]>([
  ["an Obsidian name that two files have", ["y/a.png", "z/a.png"], "x/x.md", "a.png"],
  ["a path whose end alone is that of a file", ["y/img/a.png"], "x/x.md", "img/a.png"],
  ["a name in another post's folder, with ./", ["y/a.png"], "x/x.md", "./a.png"],
  ["the old site's address of another scheme", ["a.png"], "x.md", "ftp://old.example/a.png", OLD],
  ["other case of two files", ["A.png", "a.PNG"], "x.md", "a.png"],
  ["another site's address", ["a.png", "example/a.png"], "x.md", "https://new.example/a.png", OLD],
  ["an address without an old site", ["a.png"], "x.md", "https://a.example/a.png"],
  ["no path", ["a.png"], "x.md", ""],
  ["a fragment alone", ["a.png"], "x.md", "#a.png"],
  ["a data address", ["a.png"], "x.md", "data:image/png;base64,AA"],
  ["a file address", ["etc/a.png"], "x.md", "file:///etc/a.png"],
  ["a broken address", ["a.png"], "x.md", "http://[/a.png", "https://a.example"],
  ["a path out of the folder", ["posts/a.png"], "posts/x.md", "../../etc/passwd"],
  ["an encoded path out of the folder", ["a.png"], "x.md", "%2e%2e%2fetc%2fpasswd"],
  ["a folder", ["img/a.png"], "x.md", "img"],
])("%s: among %j, the reference of %s to %j means no file", (_, files, file, reference, site) => {
  expect(findImageFile(folderOf(files), reference, file, site)).toBeNull()
})
