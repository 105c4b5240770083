import { expect, it } from 'vitest';
import { isLoopback } from '../../src/base/loopback.ts';

it.each(['localhost', 'LOCALHOST', 'ui.localhost', '127.0.0.1', '127.8.9.10', '::1', '[::1]'])(
  '%s is loopback',
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

it.each(['', '0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.com', 'localhost.example.com', '1127.0.0.1'])(
  '"%s" is not loopback',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
