
/* Constants stay in flash: on AVR they are read with its own instructions, elsewhere as they are. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define FLASH PROGMEM
#define READ_int8_t(at) ((int8_t)pgm_read_byte(&(at)))
#define READ_uint8_t(at) ((uint8_t)pgm_read_byte(&(at)))
#define READ_int16_t(at) ((int16_t)pgm_read_word(&(at)))
#define READ_uint16_t(at) ((uint16_t)pgm_read_word(&(at)))
#define READ_int32_t(at) ((int32_t)pgm_read_dword(&(at)))
#define READ_uint32_t(at) ((uint32_t)pgm_read_dword(&(at)))
#define READ_int64_t(at) ((int64_t)((uint64_t)pgm_read_dword((const uint8_t *)&(at) + 4) << 32 | pgm_read_dword(&(at))))
#else
#define FLASH
#define READ_int8_t(at) (at)
#define READ_uint8_t(at) (at)
#define READ_int16_t(at) (at)
#define READ_uint16_t(at) (at)
#define READ_int32_t(at) (at)
#define READ_uint32_t(at) (at)
#define READ_int64_t(at) (at)
#endif
