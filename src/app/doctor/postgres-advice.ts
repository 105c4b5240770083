import { certificateAdvice } from '../../http/certificate-advice.ts';

const table: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [
    /does not match certificate's altnames/,
    'DATABASE_URL must name the server by a name in its certificate; sslmode=no-verify encrypts without checking who answers.',
  ],
  [
    /certificate (has expired|is not yet valid)/,
    "Renew the server's certificate, and check the clocks of both machines.",
  ],
  [
    /server does not support SSL/,
    'Turn on ssl in postgresql.conf, or write sslmode=disable in DATABASE_URL if the network is yours.',
  ],
  [/no encryption/, 'The server accepts encrypted connections only: append sslmode=verify-full to DATABASE_URL.'],
  [/, open '|PEM/, 'Check the files that sslrootcert, sslcert and sslkey in DATABASE_URL name.'],
];

const TRUST =
  'append sslmode=verify-full&sslrootcert=/path/to/authority.pem to DATABASE_URL, or sslmode=no-verify to encrypt without checking who answers.';

export function adviseOnPostgres(message: string): string {
  const [, advice = certificateAdvice(message, TRUST)] = table.find(([pattern]) => pattern.test(message)) ?? [];
  return advice ?? 'Check DATABASE_URL, the rights of its user, and the settings of the server.';
}
