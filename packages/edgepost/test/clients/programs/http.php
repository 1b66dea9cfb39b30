<?php
// PHP's curl repeats nothing by itself.

function call(string $name, string $method, string $path, array $good, array|string|null $body = null): array
{
    for ($attempt = 0; $attempt < 8; $attempt++) {
        $wait = 0.2;
        $headers = ['X-API-KEY: ' . getenv('KEY')];
        if ($method !== 'GET') $headers[] = "Idempotency-Key: $name";
        if (is_string($body)) $headers[] = 'Content-Type: application/json';
        $curl = curl_init(getenv('BASE') . "/api/blogcontroller/$path");
        curl_setopt_array($curl, [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_RETURNTRANSFER => true]);
        curl_setopt($curl, CURLOPT_HTTPHEADER, $headers);
        if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        curl_setopt($curl, CURLOPT_HEADERFUNCTION, function ($_, $line) use (&$wait) {
            if (stripos($line, 'Retry-After:') === 0) $wait = (float) substr($line, 12);
            return strlen($line);
        });
        $text = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($text !== false && !in_array($status, [429, 503])) break;
        usleep((int) ($wait * 1e6));
    }
    if (!in_array($status, $good)) echo "FAILED $name: $status $text\n";
    return json_decode($text, true) ?? [];
}

$slug = getenv('SLUG');
$file = new CURLFile(getenv('IMAGE'), 'image/png', 'ä.png');
['image_id' => $id] = call('upload', 'POST', 'image-upload/', [201], ['file' => $file]);
$draft = ['slug' => $slug, 'title' => 'A post', 'status' => 'DF', 'categories' => ['News']];
$draft += ['meta_description' => 'About it.', 'body' => 'Some words.', 'image_ids' => [$id]];
call('create', 'POST', 'posts/', [201], json_encode($draft));
$change = ['lang_code' => 'en', 'primary_language' => 'en', 'translation_languages' => ['fr', 'es'], 'status' => 'PB'];
call('patch', 'PATCH', "posts/$slug/", [200, 202], json_encode($change));
do {
    usleep(200_000);
    $states = call('translations', 'GET', "posts/$slug/translations/", [200])['translations'];
} while (array_column($states, 'status') !== ['ready', 'ready']);
$posts = call('list', 'GET', 'posts/?limit=5', [200])['posts'];
if (count($posts) !== 1) echo "FAILED list: not one post\n";
// Repeated after a lost answer, the post is gone.
call('delete', 'DELETE', "posts/$slug/", [204, 404]);
