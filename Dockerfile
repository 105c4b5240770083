# Debian and not Alpine: the native part of Temporal's SDK needs glibc.
ARG NODE_IMAGE=docker.io/library/node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
# The SDK brings its native part for every platform, and its sources. Types, source maps and pages are for those who develop.
RUN cd node_modules \
  && find @temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && rm -r @temporalio/core-bridge/sdk-core \
  && find . -type f -regex '.*\.\([cm]?ts\|map\|md\)' ! -iname 'license*' ! -iname 'notice*' -delete

FROM ${NODE_IMAGE}
ARG VERSION=0.0.0
ARG REVISION=unknown
ARG SOURCE=unknown
ARG NODE_IMAGE
LABEL org.opencontainers.image.title=Dockline \
  org.opencontainers.image.description="Durable workflows for the orders of a third-party warehouse" \
  org.opencontainers.image.licenses=MIT \
  org.opencontainers.image.version=${VERSION} \
  org.opencontainers.image.revision=${REVISION} \
  org.opencontainers.image.source=${SOURCE} \
  org.opencontainers.image.base.name=${NODE_IMAGE}

WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules
COPY package.json LICENSE ./
COPY src src
# The services that stand in for those that are not configured.
COPY sandbox sandbox
COPY workflows workflows
COPY activities activities
# The board shows them.
COPY docs/*.md docs/openapi.json docs/

RUN ln -s /app/src/cli/dockline.cjs /usr/local/bin/dockline

# The one folder that is written to, beside /tmp: the root may be read-only.
RUN mkdir /data && chown node:node /data
VOLUME /data
ENV DATA_FOLDER=/data XDG_CACHE_HOME=/data/cache WEBHOOK_HOST=0.0.0.0 METRICS_PORT=9464
# A fifth less memory for the same processor time: docs/capacity.md.
ENV MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-semi-space-size=16
USER node
EXPOSE 3000 3001 9464

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

CMD ["dockline", "start"]
