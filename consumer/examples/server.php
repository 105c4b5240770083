<?php
// Takes Dockline's announcements, each once and in order: ANNOUNCE_SECRET=whsec_… php -d post_max_size=64M -S 127.0.0.1:3000 server.php
declare(strict_types=1);

function isAuthentic(string $id, string $sentAt, string $signatures, string $body): bool
{
    $key = base64_decode(preg_replace('/^whsec_/', '', getenv('ANNOUNCE_SECRET') ?: ''));
    if (strlen($key) < 24) {
        throw new RuntimeException('ANNOUNCE_SECRET is no secret');
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
    preg_match_all('/(?<![^\s,])[^\s,]+,[^\s,]+/', $signatures, $each); // PHP joins headers of one name with commas.
    $matching = array_filter($each[0], fn (string $one) => hash_equals($expected, $one));
    return ctype_digit($sentAt) && abs(time() - (int) $sentAt) <= 300 && $matching !== [];
}

function take(string $id, array $message, PDO $database): int
{
    $data = $message['data'];
    if ($message['id'] !== $id) {
        return 401;
    }
    if (str_starts_with($id, 'test/')) {
        return 204; // A test of the connection.
    }
    $subject = isset($data['revision']) ? "{$data['kind']}:{$data['tenant']}:{$data['id']}" : $id;
    $revision = $data['revision'] ?? 1;
    $database->exec('begin immediate'); // An exception ends the request, and keeps nothing of it.
    $position = $database->prepare('select last from subjects where subject = ?');
    $position->execute([$subject]);
    $last = $position->fetchColumn() ?: 0;
    $isEarly = ($data['previous'] ?? 0) > $last; // The one that this endpoint gets before it is missing.
    if (!$isEarly && $revision > $last) {
        $advice = $data['advice'] ?? []; // Of orders: what shipped, of each line, and in which parcels.
        $lines = array_map(fn (array $it) => sprintf("  %s %s %s\n", $it['sku'] ?? '', $it['ordered'] ?? '', $it['shipped'] ?? ''), $advice['lines'] ?? []);
        $numbers = implode(' ', $advice['trackingNumbers'] ?? []);
        file_put_contents('php://stdout', "taken $id\n" . implode('', $lines) . "  $numbers\n"); // Your work, with the same database.
        $database->prepare('insert or replace into subjects values (?, ?)')->execute([$subject, $revision]);
    }
    $database->exec('commit');
    return $isEarly ? 425 : 204; // After 425 Dockline sends both again, in order.
}

http_response_code(500); // Stays if anything below fails.
$database = new PDO('sqlite:' . (getenv('DATABASE') ?: 'announcements.db'));
$database->exec('create table if not exists subjects (subject text primary key, last integer not null)');
[$id, $sentAt, $signatures] = array_map(fn (string $name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '', ['ID', 'TIMESTAMP', 'SIGNATURE']);
$body = file_get_contents('php://input');
$isAuthentic = isAuthentic($id, $sentAt, $signatures, $body);
http_response_code($isAuthentic ? take($id, json_decode($body, true, 512, JSON_THROW_ON_ERROR), $database) : 401);
