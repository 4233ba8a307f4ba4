# The npm package of a release, or of `npm run package`, without the embedded PostgreSQL (docs/operate/containers.md#containers-and-units).
FROM node:24.21.0-bookworm-slim AS install
WORKDIR /service
COPY dist/events-gateway-*.tgz ./
RUN npm install --omit=optional --no-audit --no-fund ./events-gateway-*.tgz

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Events Gateway" org.opencontainers.image.licenses="MIT"
# all but /data may be read-only
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
ENV PATH=/service/node_modules/.bin:$PATH
WORKDIR /service
COPY --from=install /service/node_modules node_modules
RUN install -d -o node -g node /data
VOLUME ["/data"]
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
# each starts a Node.js, so not often; a proxy asks /readyz itself
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# it replaces itself by the service, which is then process 1 and handles SIGTERM
CMD ["events-gateway"]
