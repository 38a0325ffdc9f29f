# The image of the service (target `service`), of the worker (`worker`), and of both (`all`).
# docs/containers.md explains targets, build arguments and commands.
#
# npm packages come from package-lock.json. The base image is named by NODE_IMAGE: give it with its
# digest for the same base each time. Debian packages are not pinned: a build takes the versions
# that Debian's stable release has on that day.

ARG NODE_IMAGE=node:20-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc tsconfig.json tsconfig.base.json LICENSE ./
COPY packages packages
COPY migrations migrations
COPY demo demo
COPY src src
COPY scripts/prepare.js scripts/complete-packages.js scripts/
COPY docs/openapi.json docs/
# The first builds the project, the second keeps the build.
RUN npm ci
RUN npm ci --omit=dev
RUN mkdir /app \
  && cp -a package.json LICENSE migrations dist node_modules packages /app/ \
  && rm -rf /app/dist/demo /app/packages/*/src /app/packages/*/test /app/packages/pages/browser \
  && find /app/dist /app/packages -name '*.tsbuildinfo' -delete

FROM ${NODE_IMAGE} AS service
# Numbers: engines and volumes compare user ids, not names.
RUN groupadd --system --gid 990 judge \
  && useradd --system --uid 990 --gid judge --home-dir /var/lib/judge --create-home judge
COPY --from=build /app /app
COPY deploy/image /app/deploy/image
WORKDIR /app
ENV NODE_ENV=production SERVICE_USER=judge DATA_DIR=/var/lib/judge/data
RUN install -d -o judge -g judge -m 0700 /var/lib/judge/data
ARG VERSION=0.2.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Judge Data Layer" \
  org.opencontainers.image.description="The data layer of an online programming judge" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
USER judge
EXPOSE 5000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=5m --retries=3 \
  CMD ["node", "/app/deploy/image/health-check.js"]
ENTRYPOINT ["/app/deploy/image/entrypoint.sh"]
CMD ["service"]

FROM service AS worker
# Each program of a contestant gets its own user id, so the worker itself must be root. The entry
# point runs everything else as SERVICE_USER.
USER root
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    bubblewrap keyutils perl-base tini util-linux \
  && rm -rf /var/lib/apt/lists/*
# Debian packages of the compilers; docs/containers.md has a table.
ARG LANGUAGES="gcc g++ libc6-dev python3 openjdk-17-jdk-headless"
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ${LANGUAGES} \
  && rm -rf /var/lib/apt/lists/*
CMD ["worker"]

FROM worker AS all
CMD ["all"]
