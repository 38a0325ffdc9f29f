# Stands in for rabbitmq:3-alpine.
FROM node:20-bookworm-slim
RUN apt-get update \
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends rabbitmq-server \
  && mkdir -p /etc/rabbitmq/conf.d
ENV RABBITMQ_LOGS=- HOME=/var/lib/rabbitmq
CMD ["sh", "-c", "chown -R rabbitmq: /var/lib/rabbitmq && exec setpriv --reuid rabbitmq --regid rabbitmq --init-groups /usr/lib/rabbitmq/bin/rabbitmq-server"]
