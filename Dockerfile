# The image of the daemon: nothing in it but Node and metactl, no shell, nobody's user, nothing that is written to but /tmp.
#   docker build -t registry.example.com/metactl:0.1.0 .
# tools/deploy/image.test.ts does what the second stage does, without Docker.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
# `npm ci` builds dist/, too (the script "prepare").
RUN npm ci --no-audit --no-fund
# The command line's plugins (completion, help in colours) are packages of their own and stay out.
RUN npm pkg delete oclif.plugins

FROM gcr.io/distroless/nodejs24-debian12:nonroot
WORKDIR /app
# What the program needs: everything from npm is bundled in dist/.
COPY --from=build /src/package.json /src/.oclif.manifest.json /src/LICENSE ./
COPY --from=build /src/bin ./bin
COPY --from=build /src/dist ./dist
COPY --from=build /src/engines ./engines
COPY --from=build /src/deploy/crds ./deploy/crds
USER 65532:65532
ENV NODE_ENV=production
EXPOSE 8081 9999
# bin/run.js keeps the heap of a daemon within the memory limit of its container.
ENTRYPOINT ["/nodejs/bin/node", "/app/bin/run.js"]
CMD ["daemon", "--leader-election"]
