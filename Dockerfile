# Debian and not Alpine: the native part of Temporal's SDK needs glibc.
FROM node:24.21.0-bookworm-slim

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

COPY src src
COPY workflows workflows
COPY activities activities

RUN mkdir /data && chown node:node /data
VOLUME /data
ENV DATA_FOLDER=/data WEBHOOK_HOST=0.0.0.0
USER node
EXPOSE 3000

# A process without the role webhook answers on METRICS_PORT only.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.METRICS_PORT || 3000) + '/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

CMD ["node", "src/cli/start.ts"]
