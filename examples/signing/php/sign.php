<?php
// Prints the signature of a request. ../README.md says how to call it.
declare(strict_types=1);

// #region sign
/**
 * @param list<array{string, string}> $query decoded names and values
 * @param string $body the exact bytes that are sent
 */
function sign(string $method, string $path, array $query, string $body, string $timestamp, string $nonce, string $secret): string
{
    $lines = [
        $method,
        $path,
        canonical_query($query),
        hash('sha256', $body),
        $timestamp,
        $nonce,
    ];
    return hash_hmac('sha256', implode("\n", $lines), $secret);
}

/** @param list<array{string, string}> $query */
function canonical_query(array $query): string
{
    $signed = array_values(array_filter($query, fn (array $pair): bool => $pair[0] !== 'token'));
    usort($signed, fn (array $a, array $b): int => strcmp($a[0], $b[0]));
    return implode('&', array_map(fn (array $pair): string => rawurlencode($pair[0]) . '=' . rawurlencode($pair[1]), $signed));
}
// #endregion

$secret = (string) getenv('CORPRAIL_SIGNING_SECRET');
if ($argc < 5 || $secret === '') {
    fwrite(STDERR, "CORPRAIL_SIGNING_SECRET=sig_... sign METHOD PATH TIMESTAMP NONCE [name=value ...] < body\n");
    exit(2);
}
[, $method, $path, $timestamp, $nonce] = $argv;
$query = array_map(fn (string $pair): array => explode('=', $pair, 2), array_slice($argv, 5));
echo sign($method, $path, $query, (string) stream_get_contents(STDIN), $timestamp, $nonce, $secret), "\n";
