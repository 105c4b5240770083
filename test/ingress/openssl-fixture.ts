/**
 * Body with its signature and key, created by the openssl command line as an independent oracle:
 * `openssl genrsa 2048`, `openssl rsa -pubout`, `openssl dgst -sha256 -sign`, `openssl base64 -A`, `openssl dgst -sha256 -hmac`.
 */
export const opensslFixture = {
  body: '{"tplId":9104,"wmsEventId":187450321,"eventType":"OrderUpdate"}',
  signature:
    'txOkMY+fvtMSWAn7egsJcOSCzAcLU/5BSO2/voGY34gtqMqGXOpUXk2ZhpzSJngwkunmYD8+bD/yJ1fkHqn13aFsNpfUlXLiX6TXd7P/7Se6JKou6fERPPwuD+qKimCggwoEfopC1apOdsiUdW25zKxAKOJK8NQI5PZsrjmYMGH/sI88UiC400FixfKpT8p/qLrg76su1MPGpxy08UTiW5FXfJWN54dBUJWmkBb0h2Juffq/SrBb5ye0SgRKSRJAhsJHS7yIw4AGYyPgPfs/stgY5re4Yv+l6+zwf/B5qTWWG78BBGkxtBENcxeK5GrWGK984ET7khXoTXs8gMRYvw==',
  publicKey:
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwdkF7DsFKm5Jt2svdQuy\nKBgXz/UiFWbPfpxh+cgYmPBxCdVF9+7iwv4oL0BCxmzxO2RGQggvUtKdC0jsbNX3\nCxXaX4RoIPu2ozTg04QgpynijUo2b9WRabn4p7DQyN2cLUSPd4iN6+V0dH0PScFk\nNX13w5JDoa4uZzv/6mokfTF8CJHWhXsuEknagu38jKA0bcKoLl+5gJQcJTZHP8G4\nk5rjEdQ5QexOL6vTExPpCg9Pl9nU7ljjfGQREuOcSyQwRmFFWT1DBv4tcmCUMJEk\nNYZRHZFOb8HRbSa+3etIPe1wQ9ffjuOULXm9s9EIZ7fuFGGQSF7EFJCIZK4K7fKj\nKwIDAQAB\n-----END PUBLIC KEY-----\n',
  hmac: {
    secret: 'a-secret-of-some-length',
    hex: '8b5b4a06a5dfa890be1e97b5a17dbfb188431b940716ef46328ed74db6c8320b',
    base64: 'i1tKBqXfqJC+Hpe1oX2/sYhDG5QHFu9GMo7XTbbIMgs=',
  },
} as const;
