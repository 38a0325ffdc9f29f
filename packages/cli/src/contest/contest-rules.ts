export const CONTEST_RULES = {
  "freeze_time": {
    "type": "string",
    "x-instant": true
  },
  "penalty_minutes": {
    "type": "integer",
    "minimum": 0,
    "maximum": 10000
  },
  "admission": {
    "enum": [
      "open",
      "invited"
    ]
  },
  "scoreboard": {
    "enum": [
      "participants",
      "users",
      "public"
    ]
  },
  "clarifications": {
    "enum": [
      "any",
      "staff"
    ]
  },
  "enforce_languages": {
    "type": "boolean"
  },
  "scoring": {
    "enum": [
      "icpc",
      "points"
    ]
  },
  "medals": {
    "type": "object",
    "required": [
      "gold",
      "silver",
      "bronze"
    ],
    "properties": {
      "gold": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000
      },
      "silver": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000
      },
      "bronze": {
        "type": "integer",
        "minimum": 0,
        "maximum": 1000
      }
    }
  },
  "staff": {
    "type": "array",
    "items": {
      "type": "string",
      "format": "uuid",
      "x-lower-case": true
    },
    "maxItems": 1000
  }
} as const
