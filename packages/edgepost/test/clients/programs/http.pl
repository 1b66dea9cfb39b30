# LWP repeats nothing by itself. A lost answer is a 500 with the header Client-Warning.
use strict;
use warnings;
use HTTP::Request::Common qw(POST);
use JSON::PP;
use LWP::UserAgent;
use Time::HiRes qw(sleep);

my ($api, $slug) = ("$ENV{BASE}/api/blogcontroller/", $ENV{SLUG});
my $agent = LWP::UserAgent->new;

sub call {
    my ($name, $good, $request) = @_;
    $request->header('X-API-KEY' => $ENV{KEY});
    $request->header('Idempotency-Key' => $name) if $request->method ne 'GET';
    my $answer;
    for (1 .. 8) {
        $answer = $agent->request($request);
        my $lost = $answer->header('Client-Warning');
        last unless $lost || $answer->code =~ /^(429|503)$/;
        sleep($lost ? 0.2 : $answer->header('Retry-After'));
    }
    print "FAILED $name: ", $answer->code, ' ', $answer->content, "\n" unless $answer->code =~ $good;
    return $answer->content ? decode_json($answer->content) : {};
}

sub json {
    my ($method, $path, $value) = @_;
    return HTTP::Request->new($method, $api . $path, ['Content-Type' => 'application/json'], encode_json($value));
}

sub get { return HTTP::Request->new(GET => $api . shift) }

my $form = [file => [$ENV{IMAGE}, "\xc3\xa4.png", 'Content-Type' => 'image/png']];
my $upload = POST($api . 'image-upload/', Content_Type => 'form-data', Content => $form);
my $id = call('upload', qr/^201$/, $upload)->{image_id};
my %draft = (slug => $slug, title => 'A post', status => 'DF', categories => ['News'], meta_description => 'About it.');
call('create', qr/^201$/, json('POST', 'posts/', { %draft, body => 'Some words.', image_ids => [$id] }));
my %change = (lang_code => 'en', primary_language => 'en', translation_languages => ['fr', 'es'], status => 'PB');
call('patch', qr/^20[02]$/, json('PATCH', "posts/$slug/", \%change));
while (1) {
    my $states = call('translations', qr/^200$/, get("posts/$slug/translations/"))->{translations};
    last if (grep { $_->{status} eq 'ready' } @$states) == 2;
    sleep 0.2;
}
my $posts = call('list', qr/^200$/, get('posts/?limit=5'))->{posts};
print "FAILED list: not one post\n" unless @$posts == 1;
# Repeated after a lost answer, the post is gone.
call('delete', qr/^(204|404)$/, HTTP::Request->new(DELETE => $api . "posts/$slug/"));
