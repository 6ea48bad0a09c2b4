// Replays a file of inputs through @name@ and @name@_pipelined and compares sums and classes:
//     iverilog -g2001 -o @name@_tb.vvp @name@_tb.v @name@_pair.v @name@.v @name@_pipelined.v
//     vvp -n @name@_tb.vvp +vectors=@name@_vectors.hex
// A line of the file has the inputs and the outputs of @name@_pair, in hexadecimal.
`timescale 1ns / 1ns

module @name@_tb;
    reg clk, reset, valid;
    reg [@x_top@:0] x;
    reg [@y_top@:0] expected;
    wire valid_out;
    wire [@y_top@:0] y, y_pipelined;
    @name@_pair pair (
        .clk(clk), .reset(reset), .valid_in(valid), .x(x),
        .y(y), .valid_out(valid_out), .y_pipelined(y_pipelined)
    );

    // The answers that the pipeline must give next, in a ring buffer.
    reg [@y_top@:0] waiting [0:@latency@];
    integer put, get, file, got, cycle, idle, inputs, answers, wrong, wrong_pipelined;
    reg [8*1024-1:0] path;

    initial begin
        if (!$value$plusargs("vectors=%s", path)) path = "@name@_vectors.hex";
        file = $fopen(path, "r");
        put = 0; get = 0; cycle = 0; idle = 0; got = 2;
        inputs = 0; answers = 0; wrong = 0; wrong_pipelined = 0;
        clk = 0; reset = 1; valid = 0; x = 0; expected = 0;
        if (file == 0) $display("the file of inputs cannot be read");
        else begin
            #5 clk = 1;
            #5 clk = 0;
            reset = 0;
            // One input each clock, with some gaps. The last inputs need some more clocks.
            while (idle <= @latency@) begin
                valid = 0;
                if (got != 2) idle = idle + 1;
                else if (cycle % 7 == 6) x = ~x;
                else begin
                    got = $fscanf(file, "%h %h", x, expected);
                    valid = got == 2;
                end
                if (valid) begin
                    inputs = inputs + 1;
                    waiting[put] = expected;
                    put = put == @latency@ ? 0 : put + 1;
                end
                #5;
                if (valid && y !== expected) wrong = wrong + 1;
                clk = 1;
                #5;
                if (valid_out !== 1'b0) begin
                    answers = answers + 1;
                    if (y_pipelined !== waiting[get]) wrong_pipelined = wrong_pipelined + 1;
                    get = get == @latency@ ? 0 : get + 1;
                end
                clk = 0;
                cycle = cycle + 1;
            end
            if (got == 1) $display("the file of inputs ends within a line");
            if (answers != inputs) begin
                $display("the pipeline had %0d answers", answers);
                wrong_pipelined = wrong_pipelined + 1;
            end
            $display("@name@: %0d inputs, %0d mismatches", inputs, wrong);
            $display("@name@_pipelined: %0d inputs, %0d mismatches", inputs, wrong_pipelined);
        end
        $finish;
    end
endmodule
