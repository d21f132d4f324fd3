<?php
// Receives Corprail's callbacks. ../README.md says how to start it. PHP 8 or later.
declare(strict_types=1);

const FRESH_SECONDS = 300;
const MAX_BODY_BYTES = 64 * 1024;

// #region verify
function same(string $key, string $message, string $given): bool
{
    return hash_equals(hash_hmac('sha256', $message, $key), $given);
}

/** Version 2: the hash covers every parameter that arrived except itself. $_GET would change names and hide repeated ones. */
function verified_query(string $query, string $token): ?array
{
    $pairs = array_map(fn (string $pair): array => explode('=', $pair, 2) + [1 => ''], explode('&', $query));
    $pairs = array_map(fn (array $pair): array => [urldecode($pair[0]), urldecode($pair[1])], $pairs);
    $names = array_column($pairs, 0);
    if ($token === '' || count(array_unique($names, SORT_STRING)) !== count($names)) {
        return null;
    }
    $fields = array_column($pairs, 1, 0);
    $signed = array_values(array_filter($pairs, fn (array $pair): bool => $pair[0] !== 'hash'));
    usort($signed, fn (array $a, array $b): int => strcmp($a[0], $b[0]));
    $text = implode('&', array_map(fn (array $pair): string => $pair[0] . '=' . $pair[1], $signed));
    return same($token, $text, $fields['hash'] ?? '') && ($fields['v'] ?? '') === '2' ? $fields : null;
}

/** Version 3: the signature covers the exact bytes, so it is checked before parsing. */
function verified_body(string $body, string $given, string $secret): ?array
{
    if ($secret === '' || !same($secret, $body, $given)) {
        return null;
    }
    $fields = json_decode($body, true);
    return is_array($fields) && ($fields['v'] ?? '') === '3' ? $fields : null;
}
// #endregion

// #region book
/** True the first time. In production, use an insert into a table with a unique key. */
function once(string $kind, string $key): bool
{
    $folder = (getenv('STATE_DIR') ?: 'receiver-state') . '/' . $kind;
    if (!is_dir($folder)) {
        @mkdir($folder, 0700, true);
    }
    $file = $folder . '/' . hash('sha256', $key);
    $made = @fopen($file, 'x');
    if ($made === false && !file_exists($file)) {
        throw new RuntimeException("$file could not be made");
    }
    return $made !== false;
}

/** Returns the answer to a callback whose signature is valid. */
function take(array $fields): array
{
    $now = (int) (getenv('CLOCK_SECONDS') ?: time());
    $ts = $fields['ts'] ?? '';
    $nonce = $fields['nonce'] ?? '';
    if (preg_match('/^[0-9]{10}$/D', $ts) !== 1 || abs($now - (int) $ts) > FRESH_SECONDS) {
        return [403, 'stale'];
    }
    if ($nonce === '' || !once('nonces', $nonce)) {
        return [403, 'replayed'];
    }
    // A FAILED after a SUCCESS has another key: it must be applied.
    $key = ($fields['event'] ?? '') === 'complaint'
        ? 'complaint ' . $fields['complaint_ref']
        : $fields['orderid'] . ' ' . $fields['status'];
    if (!once('booked', $key)) {
        return [200, 'known'];
    }
    if (($fields['test'] ?? '') === '1') {
        return [200, 'test'];
    }
    return [200, 'booked']; // Here your own work: in one transaction with the key.
}
// #endregion

function answer(): array
{
    $method = $_SERVER['REQUEST_METHOD'];
    $body = (string) file_get_contents('php://input', false, null, 0, MAX_BODY_BYTES + 1);
    if (($method !== 'GET' && $method !== 'POST') || strlen($body) > MAX_BODY_BYTES) {
        return [400, 'not a callback'];
    }
    $fields = $method === 'POST'
        ? verified_body($body, $_SERVER['HTTP_X_CALLBACK_SIGNATURE'] ?? '', (string) getenv('CORPRAIL_CALLBACK_SECRET'))
        : verified_query($_SERVER['QUERY_STRING'] ?? '', (string) getenv('CORPRAIL_TOKEN'));
    return $fields === null ? [403, 'wrong signature'] : take($fields);
}

try {
    [$status, $text] = answer();
} catch (Throwable $error) {
    error_log($error->getMessage());
    [$status, $text] = [500, 'not booked']; // Not 2xx: it will be sent again.
}
http_response_code($status);
header('Content-Type: text/plain');
echo $text, "\n";
