import { readFile } from 'node:fs/promises'
import { Ajv, type ValidateFunction } from 'ajv'
import type { AsyncMessage } from 'rabbitmq-client'
import { parse } from 'yaml'
import type { MessageKind } from '../../src/queue/broker.ts'

export const queueDocumentFile = new URL('../../docs/asyncapi.yaml', import.meta.url)

/** Reads `docs/asyncapi.yaml`; returns its checks, which list the violations in a message. */
export async function openQueueContract() {
  const document: ReturnType<typeof parse> = parse(await readFile(queueDocumentFile, 'utf8'))
  const validate = createValidator(document.components.schemas)
  const { messages } = document.components
  const payload = (kind: MessageKind, value: unknown) => validate(messages[kind].payload.$ref, value)
  const headers = (kind: MessageKind, value: unknown) => validate(messages[kind].headers.$ref, value)
  /** Checks the payload, headers and AMQP properties of a delivery. */
  const delivery = (kind: MessageKind, message: AsyncMessage): string[] => {
    const { contentType, bindings } = messages[kind]
    const properties = propertiesOf(message)
    const stated = {
      contentType,
      type: bindings.amqp.messageType,
      deliveryMode: document.operations.sendGradingRequest.bindings.amqp.deliveryMode,
    }
    return [
      ...payload(kind, message.body).map((violation) => `payload${violation}`),
      ...headers(kind, message.headers).map((violation) => `headers${violation}`),
      ...validate(bindings.amqp['x-properties'].$ref, properties).map((one) => `properties${one}`),
      ...Object.entries(stated)
        .filter(([name, value]) => properties[name] !== value)
        .map(([name, value]) => `${name} must be ${value}`),
    ]
  }
  return { document, payload, headers, delivery }
}

/** The sender's properties, without those of the delivery and the library's name of deliveryMode. */
function propertiesOf(message: AsyncMessage): Record<string, unknown> {
  const { body, durable, consumerTag, deliveryTag, exchange, redelivered, routingKey, ...properties } =
    message
  return properties
}

function createValidator(schemas: Record<string, object>) {
  const ajv = new Ajv({ strict: true, allErrors: true })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
  const validators = new Map<string, ValidateFunction>()
  for (const [name, schema] of Object.entries(schemas))
    validators.set(`#/components/schemas/${name}`, ajv.compile(schema))
  return (reference: string, value: unknown): string[] => {
    const validate = validators.get(reference)
    if (validate === undefined) throw new Error(`${reference} is not in the document`)
    validate(value)
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}
