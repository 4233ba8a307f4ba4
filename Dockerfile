# The service without development dependencies, the embedded PostgreSQL and the bundler of GraphiQL (docs/operations/README.md#containers-and-units).
FROM node:24.21.0-bookworm-slim AS install
WORKDIR /service
COPY package.json package-lock.json .npmrc ./
COPY src src
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Events Gateway" org.opencontainers.image.licenses="MIT"
# all but /data may be read-only; what the service allocates stays small with the flags below and this
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=8388608
WORKDIR /service
COPY --from=install /service /service
RUN install -d -o node -g node /data
VOLUME ["/data"]
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1, since it handles SIGTERM
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=1024", "src/main/server.ts"]
