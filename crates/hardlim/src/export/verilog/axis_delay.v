// For the proof of @name@_axis: @name@_pipelined as a delay. X is what it reads, and ANSWER what it says to it: nothing
// drives it, so it may be anything.
module @name@_pipelined (
    input clk,
    input reset,
    input valid_in,
    output valid_out,
    @delay_ports@
);
    wire [@input_top@:0] X = {@delay_inputs@};
    wire [@output_bits_in_all@-1:0] ANSWER;
    reg [@latency@-1:0] VALID;
    reg [@latency@*@output_bits_in_all@-1:0] DATA;
    always @(posedge clk) begin
        VALID <= reset ? @latency@'b0 : {VALID, valid_in};
        DATA <= {DATA, ANSWER};
    end
    assign valid_out = VALID[@latency@-1];
    assign {@delay_outputs@} = DATA >> (@latency@-1)*@output_bits_in_all@;
endmodule
