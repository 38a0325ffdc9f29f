import { readFile } from 'node:fs/promises'
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv'
import type { AsyncMessage } from 'rabbitmq-client'
import { parse } from 'yaml'
import type { MessageKind } from '../../src/queue/broker.ts'

type Reference = { readonly $ref: string }

interface MessageDocument {
  readonly contentType: string
  readonly headers: Reference
  readonly payload: Reference
  readonly bindings: { readonly amqp: { readonly messageType: string; readonly 'x-properties': Reference } }
  readonly examples: readonly { readonly headers: object; readonly payload: object }[]
}

export interface QueueDocument {
  readonly channels: {
    readonly gradingQueue: {
      readonly address: string
      readonly bindings: {
        readonly amqp: {
          readonly queue: {
            readonly name: string
            readonly durable: boolean
            readonly exclusive: boolean
            readonly autoDelete: boolean
          }
        }
      }
    }
  }
  readonly operations: {
    readonly sendGradingRequest: { readonly bindings: { readonly amqp: { readonly deliveryMode: number } } }
  }
  readonly components: {
    readonly messages: Record<MessageKind, MessageDocument>
    readonly schemas: Readonly<Record<string, AnySchema>>
  }
}

/** Returns the violations of the document in a part of a message. */
type Check = (kind: MessageKind, value: unknown) => string[]

export interface QueueContract {
  readonly document: QueueDocument
  readonly payload: Check
  readonly headers: Check
  /** Checks the payload, headers and AMQP properties of a delivery. */
  delivery(kind: MessageKind, message: AsyncMessage): string[]
}

export const queueDocumentFile = new URL('../../docs/asyncapi.yaml', import.meta.url)

/** Reads `docs/asyncapi.yaml`. */
export async function openQueueContract(): Promise<QueueContract> {
  const document: QueueDocument = parse(await readFile(queueDocumentFile, 'utf8'))
  const validate = createValidator(document)
  const messageOf = (kind: MessageKind) => document.components.messages[kind]
  const payload: Check = (kind, value) => validate(messageOf(kind).payload, value)
  const headers: Check = (kind, value) => validate(messageOf(kind).headers, value)
  return {
    document,
    payload,
    headers,
    delivery: (kind, message) => {
      const { contentType, bindings } = messageOf(kind)
      const properties = propertiesOf(message)
      const stated = {
        contentType,
        type: bindings.amqp.messageType,
        deliveryMode: document.operations.sendGradingRequest.bindings.amqp.deliveryMode,
      }
      return [
        ...payload(kind, message.body).map((violation) => `payload${violation}`),
        ...headers(kind, message.headers).map((violation) => `headers${violation}`),
        ...validate(bindings.amqp['x-properties'], properties).map((violation) => `properties${violation}`),
        ...Object.entries(stated)
          .filter(([name, value]) => properties[name] !== value)
          .map(([name, value]) => `${name} must be ${value}`),
      ]
    },
  }
}

/** The sender's properties, without those of the delivery and the library's name of deliveryMode. */
function propertiesOf(message: AsyncMessage): Record<string, unknown> {
  const { body, durable, consumerTag, deliveryTag, exchange, redelivered, routingKey, ...properties } =
    message
  return properties
}

function createValidator({ components }: QueueDocument) {
  const ajv = new Ajv({ strict: true, allErrors: true })
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/)
  const validators = new Map<string, ValidateFunction>()
  for (const [name, schema] of Object.entries(components.schemas))
    validators.set(`#/components/schemas/${name}`, ajv.compile(schema))
  return ({ $ref }: Reference, value: unknown): string[] => {
    const validate = validators.get($ref)
    if (validate === undefined) throw new Error(`${$ref} is not in the document`)
    validate(value)
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
}
