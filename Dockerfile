# facetd in a container: the program in /opt/facetd, everything that must survive in the volume /data.
#
#   docker build -t facetd .
#   docker run --rm -v facetd-data:/data facetd keys create admin --role admin --data /data/index
#   docker run -d --name facetd -p 127.0.0.1:9200:9200 -v facetd-data:/data --stop-timeout 45 facetd

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
ENV NODE_ENV=production \
    UV_USE_IO_URING=0 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    FACETD_PATH_DATA=/data/index \
    FACETD_PATH_REPO=/data/snapshots \
    FACETD_PATH_CONF=/opt/facetd/config \
    FACETD_NETWORK_HOST=0.0.0.0 \
    FACETD_HTTP_AUTHENTICATION=true
WORKDIR /opt/facetd
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/config ./config
# The volume takes over the owner and mode of the folder below it.
RUN install -d -o node -g node -m 0700 /data /data/snapshots
USER node
VOLUME /data
EXPOSE 9200
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:9200/',{signal:AbortSignal.timeout(4000)}).then(r=>process.exit(r.ok||r.status===401?0:1),()=>process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--disable-proto=delete", "/opt/facetd/dist/server/main.js"]
