// net/http repeats a request on a connection that was closed meanwhile, if it has an Idempotency-Key. It repeats nothing after 429 and 503.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"time"
)

type object = map[string]any

func call(name, method, path string, good []int, kind string, body []byte) object {
	found := object{}
	status := 0
	for attempt := 0; attempt < 8; attempt++ {
		request, _ := http.NewRequest(method, os.Getenv("BASE")+"/api/blogcontroller/"+path, bytes.NewReader(body))
		request.Header.Set("X-API-KEY", os.Getenv("KEY"))
		if method != "GET" {
			request.Header.Set("Idempotency-Key", name)
			request.Header.Set("Content-Type", kind)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			time.Sleep(200 * time.Millisecond)
			continue
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		status = answer.StatusCode
		if status == 429 || status == 503 {
			seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
			time.Sleep(time.Duration(seconds) * time.Second)
			continue
		}
		json.Unmarshal(text, &found)
		break
	}
	for _, one := range good {
		if one == status {
			return found
		}
	}
	fmt.Printf("FAILED %s: %d %v\n", name, status, found)
	return found
}

func send(name, method, path string, good []int, value object) object {
	body, _ := json.Marshal(value)
	return call(name, method, path, good, "application/json", body)
}

func main() {
	slug := os.Getenv("SLUG")
	file, _ := os.ReadFile(os.Getenv("IMAGE"))
	form := &bytes.Buffer{}
	writer := multipart.NewWriter(form)
	part, _ := writer.CreateFormFile("file", "ä.png")
	part.Write(file)
	writer.Close()
	image := call("upload", "POST", "image-upload/", []int{201}, writer.FormDataContentType(), form.Bytes())
	draft := object{"slug": slug, "title": "A post", "status": "DF", "categories": "News", "body": "Some words."}
	draft["meta_description"] = "About it."
	draft["image_ids"] = []any{image["image_id"]}
	send("create", "POST", "posts/", []int{201}, draft)
	change := object{"lang_code": "en", "primary_language": "en", "translation_languages": []string{"fr", "es"}}
	change["status"] = "PB"
	send("patch", "PATCH", "posts/"+slug+"/", []int{200, 202}, change)
	for ready := 0; ready != 2; time.Sleep(200 * time.Millisecond) {
		ready = 0
		states, _ := call("translations", "GET", "posts/"+slug+"/translations/", []int{200}, "", nil)["translations"].([]any)
		for _, state := range states {
			if state.(object)["status"] == "ready" {
				ready++
			}
		}
	}
	posts, _ := call("list", "GET", "posts/?limit=5", []int{200}, "", nil)["posts"].([]any)
	if len(posts) != 1 {
		fmt.Println("FAILED list: not one post")
	}
	// Repeated after a lost answer, the post is gone.
	call("delete", "DELETE", "posts/"+slug+"/", []int{204, 404}, "", nil)
}
