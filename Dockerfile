# The service without development dependencies and the embedded PostgreSQL (docs/operations/README.md#containers-and-units).
FROM node:24.21.0-bookworm-slim AS install
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY src src
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

# GraphiQL and the reference, as files: all packages, which build them as they are installed
FROM node:24.21.0-bookworm-slim AS explorer
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
COPY packages packages
COPY src src
RUN npm ci --no-audit --no-fund && test -f dist/explorer/bundle.json

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Events Gateway" org.opencontainers.image.licenses="MIT"
# all but /data may be read-only; what the service allocates stays small with the flags below and this
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=8388608
WORKDIR /service
COPY --from=install /service /service
COPY --from=explorer /service/dist dist
RUN install -d -o node -g node /data
VOLUME ["/data"]
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# each starts a Node.js, so not often; a proxy asks /readyz itself
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1, since it handles SIGTERM
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=1024", "src/main/server.ts"]
